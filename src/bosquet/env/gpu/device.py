"""What a batch needs of a device with memory of its own, and arrays in that memory.

`env.gpu.cuda` has NVIDIA's GPUs. Tests have a device that is this processor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from bosquet.kernels.threads import DeviceRows, Place, Program, laid_out, read_back, rows_in_bytes

Content = npt.NDArray[np.uint8]
"""Bytes in the memory of this process."""


class Foreign(NamedTuple):
    """An array of another library that lies on a device."""

    pointer: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    """In bytes."""
    dtype: np.dtype[Any]
    owner: Any
    """What keeps it alive."""


class Device(Protocol):
    """A device. What is asked of it is done in order, mostly later; `read` waits for it."""

    def allocate(self, size: int) -> Any:
        """Return memory of this size in bytes, all zeros. Raises BosquetError if there is not enough."""

    def pointer(self, memory: Any) -> int:
        """Return the address of memory on the device."""

    def write(self, memory: Any, content: Content) -> None:
        """Copy bytes to the beginning of memory. `content` may be changed afterwards."""

    def read(self, memory: Any) -> Content:
        """Return the bytes of memory, once all that was asked before is done."""

    def copy(self, source: Any) -> Any:
        """Return new memory with the same content."""

    def load(self, program: Program) -> Any:
        """Return a program that can be launched. Raises BosquetError if the driver refuses it."""

    def launch(self, loaded: Any, threads: int, arguments: Sequence[int]) -> None:
        """Run a program in as many threads. Arguments are pointers and numbers of 64 bits."""

    def view(self, memory: Any, offset: int, dtype: np.dtype[Any], shape: Sequence[int], strides: Sequence[int]) -> Any:
        """Return an object with `__dlpack__` and `__dlpack_device__` for an array in memory. Strides are in bytes."""

    def order(self, stream: Any) -> None:
        """Let a consumer's stream, as DLPack numbers it, wait for all that was asked before."""

    def stream(self) -> int | None:
        """Return the number of the stream for `__cuda_array_interface__`, or None if the device has none."""

    def foreign(self, array: Any) -> Foreign | None:
        """Return an array of another library that lies on the device, after the work that makes it; else None."""

    def synchronize(self) -> None:
        """Wait until all that was asked is done."""


class DeviceArray:
    """An array in the memory of a device. Other libraries take it without a copy: `torch.from_dlpack(array)`.

    `numpy.asarray(array)` copies it into the memory of this process. It is to be read only.
    """

    def __init__(
        self,
        device: Device,
        memory: Any,
        dtype: np.dtype[Any],
        shape: Sequence[int],
        strides: Sequence[int],
        offset: int = 0,
    ) -> None:
        self._device = device
        self._memory = memory
        self._offset = offset
        self.dtype: np.dtype[Any] = dtype
        self.shape: tuple[int, ...] = tuple(shape)
        self.strides: tuple[int, ...] = tuple(strides)
        """In bytes. Rows of different games lie next to each other, so the first is often the smallest."""

    @property
    def ndim(self) -> int:
        """Return the number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Return the number of entries."""
        return int(np.prod(self.shape, dtype=int))

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.shape} {self.dtype} on a device; numpy.asarray copies it>"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """Copy the array into the memory of this process. Raises ValueError if a copy is not wanted."""
        if copy is False:
            raise ValueError("an array on a device cannot be shown to NumPy without a copy")
        content = self._device.read(self._memory) if self.size else np.zeros(0, np.uint8)
        here = np.ndarray(self.shape, self.dtype, content, self._offset, self.strides)
        return np.array(here, dtype or self.dtype, order="C")

    def __dlpack__(self, *, stream: Any = None, **more: Any) -> Any:
        """Return the array as DLPack's capsule; the work of `stream` then comes after that of the device so far."""
        self._device.order(stream)
        return self._view().__dlpack__(**more)

    def __dlpack_device__(self) -> tuple[int, int]:
        """Return the kind and number of the device, as DLPack numbers them."""
        kind, number = self._view().__dlpack_device__()
        return int(kind), int(number)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """Describe the array as Numba's protocol does, version 3. Raises AttributeError where there is no GPU."""
        stream = self._device.stream()
        if stream is None:
            raise AttributeError("the device has no __cuda_array_interface__")
        address = self._device.pointer(self._memory) + self._offset if self.size else 0
        return {
            "version": 3,
            "shape": self.shape,
            "strides": self.strides,
            "typestr": self.dtype.str,
            "data": (address, False),
            "stream": stream,
        }

    def columns(self, start: int, shape: Sequence[int]) -> DeviceArray:
        """Return a view of columns of a two-dimensional array, from `start` on, each row in the given shape."""
        step = self.strides[1]
        inner = [step * int(np.prod(shape[k + 1 :], dtype=int)) for k in range(len(shape))]
        return DeviceArray(
            self._device,
            self._memory,
            self.dtype,
            (self.shape[0], *shape),
            (self.strides[0], *inner),
            self._offset + start * step,
        )

    def _view(self) -> Any:
        return self._device.view(self._memory, self._offset, self.dtype, self.shape, self.strides)


class Stored:
    """An array of n rows on a device, as programs take it."""

    def __init__(self, device: Device, rows: DeviceRows, n: int, memory: Any = None) -> None:
        """Make room for it, all zeros, or use the memory that is given."""
        self.device: Device = device
        self.rows: DeviceRows = rows
        self.n: int = n
        self.memory: Any = device.allocate(rows_in_bytes(rows, n)) if memory is None else memory

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the shape of the array."""
        return 0 if self.rows.empty else self.n, *self.rows.shape

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """Return a copy in the memory of this process."""
        return self.read().astype(dtype or self.rows.dtype, copy=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle a copy in the memory of this process: NumPy's array."""
        return np.asarray, (self.read(),)

    @property
    def pointer(self) -> int:
        """Return its address; 0 if it has no rows."""
        if isinstance(self.memory, Foreign):
            return self.memory.pointer
        return self.device.pointer(self.memory) if rows_in_bytes(self.rows, self.n) else 0

    @property
    def array(self) -> DeviceArray:
        """Return the same memory as an array, whose entries must not be larger than the words that are copied."""
        rows, n = self.rows, 0 if self.rows.empty else self.n
        inner = rows.strides_within
        if rows.place is Place.OWN:
            return DeviceArray(self.device, self.memory, rows.dtype, (n, *rows.shape), (rows.size, *inner))
        across = [self.n * stride for stride in inner]
        return DeviceArray(self.device, self.memory, rows.dtype, (n, *rows.shape), (rows.dtype.itemsize, *across))

    def write(self, array: npt.NDArray[Any]) -> None:
        """Replace the content by that of an array of shape `(n, *rows.shape)`."""
        self.device.write(self.memory, laid_out(self.rows, array))

    def read(self) -> npt.NDArray[Any]:
        """Return a copy of the content, shape `(n, *rows.shape)`."""
        size = rows_in_bytes(self.rows, self.n)
        content = self.device.read(self.memory) if size else np.zeros(0, np.uint8)
        return read_back(self.rows, content, self.n)

    def copy(self) -> Stored:
        """Return an independent copy on the device."""
        return Stored(self.device, self.rows, self.n, self.device.copy(self.memory))
