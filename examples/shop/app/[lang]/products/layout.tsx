import type { LayoutProps } from 'waymark'

/** Renders the list, and the dialog with a product over it. */
export default function ProductsLayout({ children, modal }: LayoutProps<'/[lang]/products'>) {
  return (
    <>
      {children}
      {modal}
    </>
  )
}
