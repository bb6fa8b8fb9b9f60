import { serve } from '../../../../lib/serve'

export { serve as DELETE, serve as GET, serve as OPTIONS, serve as POST, serve as PUT }
