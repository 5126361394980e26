import { waymark } from 'waymark/vite'

export default { plugins: [waymark({ live: true })] }
