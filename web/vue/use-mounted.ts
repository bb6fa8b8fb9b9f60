import { onBeforeUnmount, onMounted, shallowRef, watch, type ShallowRef } from 'vue'

/**
 * Mounts a part of `@svc/auth/mount` into the element of the returned ref, and updates it when its
 * options change.
 *
 * @param options Reactive. The part itself is not tracked, because it calls functions of the host.
 */
export function useMounted<Options>(
  mount: (element: Element | null, options: Options) => () => void,
  options: () => Options,
): ShallowRef<HTMLElement | null> {
  const place = shallowRef<HTMLElement | null>(null)
  let remove = () => {}
  onMounted(() => {
    watch(options, (current) => (remove = mount(place.value, current)), { immediate: true })
  })
  onBeforeUnmount(() => remove())
  return place
}
