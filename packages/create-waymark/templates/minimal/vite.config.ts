import { devtools } from '@waymark/devtools/vite'
import { testing } from '@waymark/testing/vite'
import { waymark } from 'waymark/vite'

export default {
  plugins: [waymark(), devtools(), testing()],
}
