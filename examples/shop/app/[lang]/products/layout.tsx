import type { LayoutProps } from 'waymark'

/** The list, and over it the product that was opened from it. */
export default function ProductsLayout({ children, modal }: LayoutProps<'/[lang]/products'>) {
  return (
    <>
      {children}
      {modal}
    </>
  )
}
