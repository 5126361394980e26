import { redis } from '@waymark/redis/vite'
import { waymark } from 'waymark/vite'

export default { plugins: [waymark(), redis()] }
