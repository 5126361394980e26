import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import react from '@vitejs/plugin-react'

const prerender = { enabled: true, autoStaticPathsDiscovery: false, crawlLinks: false }

export default { plugins: [tanstackStart({ prerender, pages: [{ path: '/' }] }), react()] }
