/**
 * Files that give an app shorter times than it would have: what is late is late soon. A server
 * that is at work says so each second, so that a deadline is not shorter.
 */
export const ownTimes: Readonly<Record<string, string>> = {
  'vite.config.ts': `import { waymark } from 'waymark/vite'

export default {
  plugins: [waymark({ navigation: { timeoutMs: 1500, unattendedMs: 1000 } })],
}
`,
}
