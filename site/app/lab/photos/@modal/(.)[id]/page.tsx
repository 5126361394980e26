import type { ReactNode } from 'react'
import { notFound } from 'waymark'
import { findPhoto } from '../../_art/photos.ts'
import { Picture } from '../../_art/picture.tsx'
import { Dialog } from './dialog.tsx'

type Props = { params: Promise<{ id: string }> }

export default async function PhotoDialog({ params }: Props): Promise<ReactNode> {
  const photo = findPhoto((await params).id)
  if (!photo) notFound()
  return (
    <Dialog title={photo.title}>
      <Picture photo={photo} />
    </Dialog>
  )
}
