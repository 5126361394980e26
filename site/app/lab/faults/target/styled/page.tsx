import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { connection } from 'waymark/server'
import { Gauge } from './gauge.tsx'
import styles from './styled.module.css'

export const metadata: Metadata = { title: 'The target with its own code' }

export default async function StyledTarget(): Promise<ReactNode> {
  await connection()
  return (
    <>
      <h2>The target with its own code</h2>
      <div className={styles.plate}>
        <Gauge />
      </div>
      <p className="controls">
        <Link className="button" href="/lab/faults">
          Back to the faults
        </Link>
      </p>
    </>
  )
}
