/** Takes the place of Payload's logout: the user menu of the panel logs out. */
export function AccountLink() {
  return <a href="/admin/main">Panel</a>
}
