import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import styles from './card.module.css'

export const metadata: Metadata = { title: 'Another card' }

export default function Other(): ReactNode {
  return (
    <>
      <h1>Another card</h1>
      <p className={styles.card}>.card in another card.module.css</p>
      <p>
        <Link href="/lab/styles">Back to the experiment</Link>
      </p>
    </>
  )
}
