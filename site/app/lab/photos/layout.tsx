import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'

export const metadata: Metadata = { title: 'Interception' }

export default function PhotosLayout({
  children,
  modal,
}: {
  children: ReactNode
  modal: ReactNode
}) {
  return (
    <>
      {children}
      {modal}
    </>
  )
}
