import tailwindcss from '@tailwindcss/vite'
import { waymark } from 'waymark/vite'

export default {
  plugins: [waymark(), tailwindcss()],
}
