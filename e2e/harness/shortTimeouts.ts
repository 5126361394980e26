/**
 * Files that shorten an app's navigation timeouts. A timeout must stay above one second, because a
 * busy server sends a keepalive each second.
 */
export const shortTimeouts: Readonly<Record<string, string>> = {
  'vite.config.ts': `import { waymark } from 'waymark/vite'

export default {
  plugins: [waymark({ navigation: { timeoutMs: 1500, unattendedMs: 1000 } })],
}
`,
}
