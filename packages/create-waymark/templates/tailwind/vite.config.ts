import tailwindcss from '@tailwindcss/vite'
import { devtools } from '@waymark/devtools/vite'
import { speedups } from '@waymark/speedups/vite'
import { testing } from '@waymark/testing/vite'
import { waymark } from 'waymark/vite'

// Each package is one line. Take out what you don't use: speedups(), for example, changes React's files in
// builds, and without it pages are the same, but take more processor time.
export default {
  plugins: [waymark(), devtools(), testing(), speedups(), tailwindcss()],
}
