import { devtools } from '@waymark/devtools/vite'
import { speedups } from '@waymark/speedups/vite'
import { testing } from '@waymark/testing/vite'
import { waymark } from 'waymark/vite'

// Each plugin adds one package. Remove the plugins that you don't need. Without speedups(), for
// example, pages are the same, but the server needs more processor time to render them.
export default {
  plugins: [waymark(), devtools(), testing(), speedups()],
}
