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
        Each picture has a page of its own. A click from here shows it over this page instead, at
        the same URL.
      </p>
      <Expect>
        <li>A click opens the picture in a dialog; the address changes, and this page stays.</li>
        <li>Back, Escape and the button close it; the count below is kept.</li>
        <li>A reload while it is open shows the picture’s page, and so does a new tab.</li>
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
