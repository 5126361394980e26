import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { Counter } from '../_ui/counter.tsx'
import { Expect } from '../_ui/expect.tsx'
import { photos } from './_art/photos.ts'
import { Picture } from './_art/picture.tsx'
import styles from './photos.module.css'

export default function Photos(): ReactNode {
  return (
    <>
      <h1>Interception</h1>
      <p>
        Each picture has its own page. A click on this page shows the picture in a dialog instead,
        with the same URL.
      </p>
      <Expect>
        <li>A click opens the picture in a dialog. The URL changes, and this page stays.</li>
        <li>Back, Escape and the button close the dialog. The counter below keeps its count.</li>
        <li>If you reload, or open the URL in a new tab, you see the picture’s own page.</li>
      </Expect>
      <p>
        <Counter />
      </p>
      <ul className={styles.grid}>
        {photos.map((photo) => (
          <li key={photo.id}>
            <Link href={`/lab/photos/${photo.id}`} scroll={false}>
              <Picture photo={photo} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
