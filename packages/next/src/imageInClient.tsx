import { type ReactNode, type SyntheticEvent, useEffect, useImperativeHandle, useRef } from 'react'
import StaticImage, { type ImageProps } from './image.tsx'

export { getImageProps } from './image.tsx'

/** Renders an image in a client component, and calls its handlers. */
export default function Image(props: ImageProps): ReactNode {
  const hasHandler = props.onLoad ?? props.onLoadingComplete ?? props.onError
  return hasHandler ? <ObservedImage {...props} /> : <StaticImage {...props} />
}

/** Renders an image whose handlers are also called if its file has arrived before hydration. */
function ObservedImage({ onLoad, onLoadingComplete, onError, ref, ...props }: ImageProps) {
  const image = useRef<HTMLImageElement>(null)
  const settledSrc = useRef<string>(null)
  const settle = (event: SyntheticEvent<HTMLImageElement>, isLoaded: boolean) => {
    const { currentTarget } = event
    if (settledSrc.current === currentTarget.src) return
    settledSrc.current = currentTarget.src
    if (!isLoaded) return onError?.(event)
    onLoad?.(event)
    onLoadingComplete?.(currentTarget)
  }
  useImperativeHandle(ref, () => image.current as HTMLImageElement)
  useEffect(() => {
    const { current } = image
    // React doesn't repeat the events of images that were complete before hydration.
    if (current?.complete) current.decode().then(send('load'), send('error'))
    function send(type: string) {
      return () => void current?.dispatchEvent(new Event(type))
    }
  }, [])
  return (
    <StaticImage
      {...props}
      ref={image}
      onLoad={(event) => settle(event, true)}
      onError={(event) => settle(event, false)}
    />
  )
}
