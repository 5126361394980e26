import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import dot from './dot.svg'
import styles from './images.module.css'
import ridge from './ridge.webp'

export const metadata: Metadata = { title: 'Images and fonts' }

export default function Images(): ReactNode {
  return (
    <>
      <h1>Images and fonts</h1>
      <p>An imported file gets a URL with a hash, which browsers can cache forever.</p>
      <Expect>
        <li>
          The large image has a hashed URL, and its response has{' '}
          <code>cache-control: immutable</code>.
        </li>
        <li>The small image is under 4 KB, so the page contains it as a data URL.</li>
        <li>
          The icon is a file in <code>public/</code>. Its URL is its name, without a hash.
        </li>
        <li>
          The fonts of this site come from packages, through <code>font()</code>. Until they arrive,
          a fallback font with the same metrics is used, so nothing moves.
        </li>
      </Expect>
      <h2>Imported</h2>
      <img src={ridge} width={1200} height={800} alt="Ridges at sunrise" className={styles.ridge} />
      <p className="quiet">{ridge}</p>
      <h2>Inlined</h2>
      <p className={styles.row}>
        <img src={dot} width={24} height={24} alt="A dot" /> <code>{dot.slice(0, 40)}…</code>
      </p>
      <h2>From public/</h2>
      <p className={styles.row}>
        <img src="/favicon.svg" width={24} height={24} alt="The site’s icon" />{' '}
        <code>/favicon.svg</code>
      </p>
    </>
  )
}
