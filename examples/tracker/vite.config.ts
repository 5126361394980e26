import { contract } from '@waymark/contract/vite'
import { waymark } from 'waymark/vite'

export default {
  plugins: [
    waymark({
      security: { csp: true },
      // The same colours as --paper. Browsers use them for the area around the page.
      theme: { themeColors: { light: '#fbfaf8', dark: '#16181a' } },
    }),
    contract(),
  ],
}
