import type { ReactNode } from 'react'
import styles from './codeBlock.module.css'
import { CopyButton } from './copyButton.tsx'

const codeClass = `${styles.code} scroll-edges`

type CodeBlockProps = { html: string; language: string; caption?: string }

/** A block of code, highlighted during the build, with its file name as the caption. */
export function CodeBlock({ html, language, caption }: CodeBlockProps): ReactNode {
  return (
    <figure className={styles.block} data-language={language}>
      {caption && <figcaption className={styles.caption}>{caption}</figcaption>}
      {/* Render one string, not hundreds of elements, because a document contains the code twice. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must reach content that scrolls */}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own code, escaped during the build */}
      <pre className={codeClass} tabIndex={0} dangerouslySetInnerHTML={{ __html: html }} />
      <CopyButton className={styles.copy} />
    </figure>
  )
}
