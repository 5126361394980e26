/**
 * Files that shorten the navigation timeouts of an app. A busy server sends a keepalive each second,
 * so a timeout must stay above one second.
 */
export const shortTimeouts: Readonly<Record<string, string>> = {
  'vite.config.ts': `import { waymark } from 'waymark/vite'

export default {
  plugins: [waymark({ navigation: { timeoutMs: 1500, unattendedMs: 1000 } })],
}
`,
}
