import { live } from '@waymark/live/vite'
import { waymark } from 'waymark/vite'

export default { plugins: [waymark(), live()] }
