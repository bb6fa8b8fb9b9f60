/** Application keys as `svc key generate` makes them, for tests that replace one by the other. */
export const OLD_KEY = 'tPvAmvzWlXTLfq0Xt4r6Yx5vJ1mC0N7hGqS2b8uKdEw='
export const NEW_KEY = '9cQyZb3oR6eTn1kVw8fHsJ0uLx2aDp5iMgC7tYv4WEk='
