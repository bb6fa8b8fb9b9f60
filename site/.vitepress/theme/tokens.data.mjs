import { tokenGroups } from '../../../scripts/docs/styling.mjs'

export default { watch: ['../../../web/spa/styles/tokens.css'], load: () => tokenGroups() }
