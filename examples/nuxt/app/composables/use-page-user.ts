/** The user of the page, whom the middleware `user` has admitted. */
export const usePageUser = () => useState('page-user', () => ({ name: '' }))
