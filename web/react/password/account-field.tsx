/** Renders the account of a password for password managers, which find it beside the password. */
export function AccountField({ email }: { readonly email: string }) {
  return (
    <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
  )
}
