interface User {
  readonly email: string
}

export const verifyPassword = async (user: User, password: string): Promise<boolean> => {
  const body = JSON.stringify({ email: user.email, password })
  const { ok } = await fetch('https://directory.example.com/verify', { method: 'POST', body })
  return ok
}
