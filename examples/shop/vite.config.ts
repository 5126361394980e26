import { waymark } from 'waymark/vite'

export default {
  plugins: [
    waymark({
      security: { csp: true },
      live: true,
      offline: { ahead: ['/en', '/de'] },
      // The colours of --paper, which browsers draw around the page.
      theme: { themeColors: { light: '#f8f5ef', dark: '#181614' } },
    }),
  ],
}
