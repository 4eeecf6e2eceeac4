package com.tidewater.quayside.mapper;

import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;

public interface MeterMapper {

    @Insert("INSERT INTO meter_reading (berth_id, read_at, kwh) VALUES (#{berth}, #{at}, #{kwh})")
    void add(@Param("berth") int berth, @Param("at") LocalDateTime at, @Param("kwh") BigDecimal kwh);

    @Select("SELECT date_bin(read_at, 15) AS slot, max(kwh) - min(kwh) AS used"
            + " FROM meter_reading WHERE berth_id = #{berth} GROUP BY 1 ORDER BY 1")
    List<Map<String, Object>> load(@Param("berth") int berth);

    @Select("SELECT collect_berths(DISTINCT berth_id) FROM meter_reading")
    Object berthsWithMeters();

    @Select("SELECT purge_old_readings()")
    long purge();
}
