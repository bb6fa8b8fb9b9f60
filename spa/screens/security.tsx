/** Asked for when it is opened: most people never do. */
export { SecurityPage as Security } from '../../src/react/react.ts'
