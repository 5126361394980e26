import remarkGfm from 'remark-gfm'
import { defineConfig } from 'vite'
import { waymark } from 'waymark/vite'
import { rehypeCode } from './mdx/code.ts'
import { rehypeHeadings } from './mdx/headings.ts'
import { rehypeTables } from './mdx/tables.ts'
import { textsPlugin } from './mdx/texts.ts'

export default defineConfig({
  plugins: [
    textsPlugin(),
    waymark({
      // The colours of --paper, which browsers draw around the page.
      theme: { themeColors: { light: '#fcfcf9', dark: '#141816' } },
      security: { csp: true },
      arrivals: true,
      live: true,
      offline: { ahead: ['/guide'] },
      mdx: {
        remarkPlugins: [remarkGfm],
        rehypePlugins: [rehypeHeadings, rehypeTables, rehypeCode],
      },
    }),
  ],
})
