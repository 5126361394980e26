import { waymark } from 'waymark/vite'
import { flags } from './flags/vite.ts'

export default { plugins: [waymark(), flags({ rules: { newCheckout: ['ada', 'grace'] } })] }
