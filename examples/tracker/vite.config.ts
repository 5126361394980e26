import { waymark } from 'waymark/vite'

export default {
  plugins: [
    waymark({
      security: { csp: true },
      // The colours of --paper, which browsers draw around the page.
      theme: { themeColors: { light: '#fbfaf8', dark: '#16181a' } },
    }),
  ],
}
