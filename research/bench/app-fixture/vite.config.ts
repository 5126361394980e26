import { operations } from '@waymark/operations/vite'
import { waymark } from 'waymark/vite'

// For `start --workers`. Other measurements build the app without the package.
const packages = process.env.BENCH_WORKERS ? [operations()] : []

export default { plugins: [waymark(), ...packages] }
