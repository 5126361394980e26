import { notFound } from 'waymark'

export default function CustomNotFound(): never {
  notFound()
}
