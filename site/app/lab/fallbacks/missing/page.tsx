import { notFound } from 'waymark'

export default function Missing(): never {
  notFound()
}
