import type { ReactNode } from 'react'
import { Link, type Metadata, notFound } from 'waymark'
import { findPhoto, photos } from '../_art/photos.ts'
import { Picture } from '../_art/picture.tsx'
import styles from '../photos.module.css'

type Props = { params: Promise<{ id: string }> }

export function generateStaticParams(): { id: string }[] {
  return photos.map(({ id }) => ({ id }))
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: findPhoto((await params).id)?.title ?? 'No such picture' }
}

export default async function PhotoPage({ params }: Props): Promise<ReactNode> {
  const photo = findPhoto((await params).id)
  if (!photo) notFound()
  return (
    <>
      <h1>{photo.title}</h1>
      <p>This is the picture’s own page. The browser has loaded a document.</p>
      <div className={styles.single}>
        <Picture photo={photo} />
      </div>
      <p>
        <Link href="/lab/photos">All pictures</Link>
      </p>
    </>
  )
}
