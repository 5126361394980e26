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
        The build makes {ridge.variants.webp.length} sizes of each image for{' '}
        <code>{'<Image>'}</code> and <code>{'<Picture>'}</code>. They need no code in the browser.
      </p>
      <Expect>
        <li>Nothing moves while an image loads. You see a blurred version first.</li>
        <li>The head names the first image, and the browser loads it before all others.</li>
        <li>For the small image, the browser loads a small file: see the network panel.</li>
        <li>With a dark theme, the third image is dark. The light version isn’t loaded.</li>
        <li>The last image can’t be loaded, so you see its fallback.</li>
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
        alt="The fallback image"
      />
    </>
  )
}
