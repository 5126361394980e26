import { arrivals } from '@waymark/arrivals/vite'
import { workerd } from '@waymark/cloudflare'
import { devtools } from '@waymark/devtools/vite'
import { fonts } from '@waymark/font/vite'
import { images } from '@waymark/image/vite'
import { live } from '@waymark/live/vite'
import { offline } from '@waymark/offline/vite'
import { operations } from '@waymark/operations/vite'
import { replay } from '@waymark/replay/vite'
import { speedups } from '@waymark/speedups/vite'
import { testing } from '@waymark/testing/vite'
import remarkGfm from 'remark-gfm'
import remarkSmartypants from 'remark-smartypants'
import { defineConfig } from 'vite'
import { node, waymark } from 'waymark/vite'
import { rehypeCode } from './mdx/code.ts'
import { rehypeHeadings } from './mdx/headings.ts'
import { rehypeTables } from './mdx/tables.ts'
import { textsPlugin } from './mdx/texts.ts'

export default defineConfig({
  plugins: [
    textsPlugin(),
    waymark({
      adapter: process.env.TARGET === 'workerd' ? workerd() : node(),
      // In workerd, the lab's WebSocket and its remote images don't work.
      allowMissing: ['images', 'sockets'],
      // The same colours as --paper. Browsers use them for the area around the page.
      theme: { themeColors: { light: '#fcfcf9', dark: '#141816' } },
      security: { csp: true },
      mdx: {
        // Convert quotes and apostrophes only, because dashes and ellipses are already typed correctly.
        remarkPlugins: [
          remarkGfm,
          [remarkSmartypants, { dashes: false, ellipses: false, backticks: false }],
        ],
        rehypePlugins: [rehypeHeadings, rehypeTables, rehypeCode],
      },
    }),
    arrivals(),
    devtools(),
    fonts(),
    images(),
    live(),
    offline({ precache: ['/guide'] }),
    operations(),
    replay(),
    speedups(),
    testing(),
  ],
})
