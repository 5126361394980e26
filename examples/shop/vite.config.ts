import { contract } from '@waymark/contract/vite'
import { devtools } from '@waymark/devtools/vite'
import { live } from '@waymark/live/vite'
import { offline } from '@waymark/offline/vite'
import { testing } from '@waymark/testing/vite'
import { waymark } from 'waymark/vite'

export default {
  plugins: [
    waymark({
      security: { csp: true },
      // The same colours as --paper. Browsers use them for the area around the page.
      theme: { themeColors: { light: '#f8f5ef', dark: '#181614' } },
    }),
    contract(),
    devtools(),
    live(),
    offline({ precache: ['/en', '/de'] }),
    testing(),
  ],
}
