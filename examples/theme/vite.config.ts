import { waymark } from 'waymark/vite'

export default {
  plugins: [
    waymark({
      theme: {
        themes: { sepia: 'light' },
        themeColors: { light: '#fdfdfb', dark: '#16181a', sepia: '#f1e6d0' },
      },
    }),
  ],
}
