;; Makes a module from the text that the inlined entries hold. scripts/lib/wasm-apart.mjs took the module apart, into one part for
;; operations, one for indices of locals and so on, and scripts/lib/printable.mjs wrote the parts as characters. WebAssembly,
;; because it runs once, and JavaScript would be interpreted.
;;
;; The memory, which the loader fills:
;;   0x000  for each character the byte that it stands for
;;   0x200  where each part begins, in 32 bits each; the last is where the parts end
;;   0x400  the text in UTF-8; its first 256 bytes say for each operation in which part its operands are, or 0
;;   0x80000  the module
(module
  (memory (export "memory") 16)

  ;; $end is where the text ends; answers where the module ends.
  (func (export "together") (param $end i32) (result i32)
    (local $from i32) (local $to i32) (local $byte i32)
    (local $operations i32) (local $declared i32) (local $part i32) (local $place i32)
    (local $start i32) (local $count i32)

    ;; From characters to bytes, in place: none is longer than two bytes of UTF-8.
    (local.set $from (i32.const 0x400))
    (local.set $to (i32.const 0x400))
    (loop $characters
      (local.set $byte (i32.load8_u (local.get $from)))
      (if (i32.gt_u (local.get $byte) (i32.const 127))
        (then
          (local.set $from (i32.add (local.get $from) (i32.const 1)))
          (local.set $byte
            (i32.or
              (i32.shl (i32.and (local.get $byte) (i32.const 31)) (i32.const 6))
              (i32.and (i32.load8_u (local.get $from)) (i32.const 63))))))
      (i32.store8 (local.get $to) (i32.load8_u (local.get $byte)))
      (local.set $to (i32.add (local.get $to) (i32.const 1)))
      (local.set $from (i32.add (local.get $from) (i32.const 1)))
      (br_if $characters (i32.lt_u (local.get $from) (local.get $end))))

    ;; What stands before the functions; from here on $to is in the module.
    (local.set $to (i32.const 0x80000))
    (local.set $declared (i32.load (i32.const 0x204)))
    (local.set $operations (i32.load (i32.const 0x228)))
    (local.set $count (i32.sub (local.get $declared) (i32.load (i32.const 0x200))))
    (memory.copy (local.get $to) (i32.load (i32.const 0x200)) (local.get $count))
    (local.set $to (i32.add (local.get $to) (local.get $count)))

    (loop $functions
      (local.set $start (local.get $to))

      ;; Its locals: how many groups, and two numbers for each. The last byte of a number is less than 128.
      (local.set $count
        (i32.add (i32.shl (i32.load8_u (local.get $declared)) (i32.const 1)) (i32.const 1)))
      (loop $numbers
        (local.set $byte (i32.load8_u (local.get $declared)))
        (i32.store8 (local.get $to) (local.get $byte))
        (local.set $declared (i32.add (local.get $declared) (i32.const 1)))
        (local.set $to (i32.add (local.get $to) (i32.const 1)))
        (br_if $numbers (i32.gt_u (local.get $byte) (i32.const 127)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br_if $numbers (local.get $count)))

      ;; Its operations. $count is now how many blocks are open; the function is one.
      (local.set $count (i32.const 1))
      (loop $body
        (local.set $byte (i32.load8_u (local.get $operations)))
        (i32.store8 (local.get $to) (local.get $byte))
        (local.set $operations (i32.add (local.get $operations) (i32.const 1)))
        (local.set $to (i32.add (local.get $to) (i32.const 1)))
        (local.set $part (i32.load8_u offset=0x400 (local.get $byte)))
        (if (local.get $part)
          (then
            (local.set $place (i32.load offset=0x200 (i32.shl (local.get $part) (i32.const 2))))
            (if (i32.eq (local.get $part) (i32.const 9))
              (then
                ;; Operands that are not one number: so many bytes.
                (local.set $byte (i32.load8_u (local.get $place)))
                (memory.copy (local.get $to) (i32.add (local.get $place) (i32.const 1)) (local.get $byte))
                (local.set $to (i32.add (local.get $to) (local.get $byte)))
                (local.set $place
                  (i32.add (i32.add (local.get $place) (i32.const 1)) (local.get $byte))))
              (else
                (local.set $count
                  (i32.add (local.get $count) (i32.eq (local.get $part) (i32.const 2))))
                ;; Loads and stores say first how they are aligned, which is 0: not known.
                (local.set $to
                  (i32.add (local.get $to) (i32.eq (local.get $part) (i32.const 6))))
                (loop $number
                  (local.set $byte (i32.load8_u (local.get $place)))
                  (i32.store8 (local.get $to) (local.get $byte))
                  (local.set $place (i32.add (local.get $place) (i32.const 1)))
                  (local.set $to (i32.add (local.get $to) (i32.const 1)))
                  (br_if $number (i32.gt_u (local.get $byte) (i32.const 127))))))
            (i32.store offset=0x200 (i32.shl (local.get $part) (i32.const 2)) (local.get $place)))
          (else
            (local.set $count
              (i32.sub (local.get $count) (i32.eq (local.get $byte) (i32.const 0x0b))))))
        (br_if $body (local.get $count)))

      ;; Its size before it, which is a number of one to three bytes.
      (local.set $count (i32.sub (local.get $to) (local.get $start)))
      (local.set $byte
        (i32.add
          (i32.add (i32.const 1) (i32.gt_u (local.get $count) (i32.const 127)))
          (i32.gt_u (local.get $count) (i32.const 16383))))
      (memory.copy (i32.add (local.get $start) (local.get $byte)) (local.get $start) (local.get $count))
      (local.set $to (i32.add (local.get $to) (local.get $byte)))
      (loop $size
        (local.set $byte (i32.sub (local.get $byte) (i32.const 1)))
        (i32.store8
          (local.get $start)
          (i32.or
            (i32.and (local.get $count) (i32.const 127))
            (i32.shl (i32.ne (local.get $byte) (i32.const 0)) (i32.const 7))))
        (local.set $start (i32.add (local.get $start) (i32.const 1)))
        (local.set $count (i32.shr_u (local.get $count) (i32.const 7)))
        (br_if $size (local.get $byte)))
      (br_if $functions (i32.lt_u (local.get $operations) (i32.load (i32.const 0x22c)))))

    ;; What stands after the functions.
    (local.set $place (i32.load (i32.const 0x22c)))
    (local.set $count (i32.sub (i32.load (i32.const 0x230)) (local.get $place)))
    (memory.copy (local.get $to) (local.get $place) (local.get $count))
    (i32.add (local.get $to) (local.get $count))))
