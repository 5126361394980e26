import { Image, Picture } from '@waymark/image'
import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import ridge from '../images/ridge.webp?image'
import night from './night.webp?image'
import styles from './pictures.module.css'

export const metadata: Metadata = { title: 'Pictures' }

export default function Pictures(): ReactNode {
  return (
    <>
      <h1>Pictures</h1>
      <p>
        <code>{'<Image>'}</code> and <code>{'<Picture>'}</code>: made by the build in{' '}
        {ridge.variants.webp.length} sizes, without code in the browser.
      </p>
      <Expect>
        <li>Nothing moves while they are loaded; a blurred one stands in.</li>
        <li>The first is named in the head, and loaded before all others.</li>
        <li>The small one loads a small file: see the network panel.</li>
        <li>The third is dark under a dark theme; the other one is not loaded.</li>
        <li>The last can’t be loaded, and has a fallback.</li>
      </Expect>
      <Image src={ridge} alt="Ridges at sunrise" className={styles.picture} priority />
      <h2>Small</h2>
      <Image src={ridge} width={150} alt="Ridges at sunrise" />
      <h2>By the theme</h2>
      <Picture
        src={ridge}
        dark={night}
        alt="Ridges, by day or by night"
        className={styles.picture}
      />
      <h2>Missing</h2>
      <Image
        src="data:image/jpeg;base64,/9j/"
        width={300}
        height={200}
        fallback={night}
        alt="What stands in"
      />
    </>
  )
}
