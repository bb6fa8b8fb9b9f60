/** The build renders this page, for everybody: `hooks.server.ts` does not run when it is opened. */
export const prerender = true
