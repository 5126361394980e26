import { speedups } from '@waymark/speedups/vite'
import { waymark } from 'waymark/vite'

export default { plugins: [waymark(), speedups()] }
