/** The user of the page, whom the middleware `user` has admitted. */
export const usePageUser = () =>
  useState<{ readonly name: string | null }>('page-user', () => ({ name: null }))
