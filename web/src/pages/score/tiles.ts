// The sculpture tiles as they are chosen: eight types in five sizes.

export const TYPES = ["T", "W", "S", "E", "P", "H", "O", "L"];
export const SIZES = [1, 2, 3, 4, 5];
