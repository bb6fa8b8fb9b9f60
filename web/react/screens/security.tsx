/** Loaded on demand: most users never open this page. */
export { SecurityPage as Security } from '../security/security-page.tsx'
