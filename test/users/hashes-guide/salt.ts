import { saltedHash } from '@svc/auth/hashes'

interface User {
  readonly hash: string
  readonly salt: string
}

export const passwordHash = (user: User) => saltedHash(user.hash, user.salt)
