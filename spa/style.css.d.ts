// It exports nothing; without a declaration TypeScript would not let a host import it.
declare module '@svc/auth/style.css' {}
