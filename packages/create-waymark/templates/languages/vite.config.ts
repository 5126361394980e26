import { devtools } from '@waymark/devtools/vite'
import { i18n } from '@waymark/i18n/vite'
import { speedups } from '@waymark/speedups/vite'
import { testing } from '@waymark/testing/vite'
import { waymark } from 'waymark/vite'

// Each plugin adds one package. Remove the plugins that you don't need. Without speedups(), for
// example, pages are the same, but the server needs more processor time to render them.
export default {
  plugins: [
    waymark(),
    // The first language is the default.
    i18n({ locales: ['en', 'de'] }),
    devtools(),
    testing(),
    speedups(),
  ],
}
