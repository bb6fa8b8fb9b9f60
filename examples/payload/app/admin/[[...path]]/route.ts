import { serve } from '../../../lib/serve'

export { serve as GET }
