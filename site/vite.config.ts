import remarkGfm from 'remark-gfm'
import { defineConfig } from 'vite'
import { waymark } from 'waymark/vite'
import { rehypeCode } from './mdx/code.ts'
import { rehypeHeadings } from './mdx/headings.ts'

export default defineConfig({
  plugins: [
    waymark({
      mdx: { remarkPlugins: [remarkGfm], rehypePlugins: [rehypeHeadings, rehypeCode] },
    }),
  ],
})
