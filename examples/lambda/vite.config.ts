import { waymark } from 'waymark/vite'
import { lambda } from './adapter.ts'

export default { plugins: [waymark({ adapter: lambda() })] }
